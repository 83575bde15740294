import{n as e,r as t,t as n}from"./client-libraries-df66e8dc.js";import{_ as r,d as i,t as a,v as o}from"./client-Link-7ee8c216.js";import{t as s}from"./client-time-caa2070d.js";import{t as c}from"./client-useReadAgain-c88a0175.js";import{a as l,t as u}from"./client-place-5526f728.js";t();var d=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[t],storageKey:null},{alias:null,args:[{kind:`Variable`,name:`first`,variableName:`first`}],concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null}],storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null}],storageKey:null},{kind:`ClientExtension`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__id`,storageKey:null}]}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveNowQuery`,selections:n,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveNowQuery`,selections:n},params:{cacheID:`f1cb17bfbcebe0c37b79e6c7e93338a9`,id:null,metadata:{},name:`LiveNowQuery`,operationKind:`query`,text:`query LiveNowQuery(
  $first: Int!
) {
  viewer {
    user {
      id
    }
    liveFeed(first: $first) {
      edges {
        cursor
        node {
          id
          title
          state
          scheduledAt
          startedAt
          endedAt
          host {
            id
            databaseId
            name
            handle
            viewerFollows
            viewerMutes
            viewerBlocks
          }
        }
      }
      syncToken
    }
  }
}
`}}})();e();var f=n(),p=4,m=d;function h(){let[{viewer:e},t]=c(m,{first:p},e=>e.viewer?.__id),n=t=>t.id===e?.user.id||t.viewerFollows&&!t.viewerMutes&&!t.viewerBlocks,d=r(`second`),h=e?.liveFeed.edges.filter(({node:e})=>e!=null)??[];l(e?.liveFeed.syncToken??null,!1,e=>{u(h,p,e)&&t()});let g=h.map(({node:e})=>e).filter(({state:e,host:t})=>e!==`REPLAY`&&n(t));return g.length?(0,f.jsxs)(`section`,{className:`card live-now`,"aria-labelledby":`live-now-title`,children:[(0,f.jsx)(`h2`,{id:`live-now-title`,children:o.live.asideTitle}),(0,f.jsx)(`ul`,{children:g.map(e=>(0,f.jsxs)(`li`,{className:`live-small live-${e.state.toLowerCase()}`,children:[(0,f.jsx)(i,{user:e.host,size:`small`}),(0,f.jsxs)(`span`,{className:`live-words`,children:[(0,f.jsx)(`span`,{className:`live-title`,dir:`auto`,children:e.title}),(0,f.jsx)(`span`,{className:`live-clock`,children:(0,f.jsx)(`bdi`,{children:e.host.name})}),(0,f.jsx)(`span`,{className:`live-clock`,children:s(e,d)})]})]},e.id))}),(0,f.jsx)(a,{href:`/live`,className:`card-more`,children:o.live.all})]}):null}export{h as default};