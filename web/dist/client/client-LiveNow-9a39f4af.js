import{n as e,r as t,t as n}from"./client-libraries-df66e8dc.js";import{_ as r,d as i,t as a,v as o}from"./client-Link-7ee8c216.js";import{t as s}from"./client-time-caa2070d.js";import{t as c}from"./client-useReadAgain-c88a0175.js";import{r as l}from"./client-changes-c75df222.js";import{D as u}from"./client-57fbb3e3.js";t();var d=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[t],storageKey:null},{alias:null,args:[{kind:`Variable`,name:`first`,variableName:`first`}],concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`sortKey`,storageKey:null},{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null}],storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null}],storageKey:null},{kind:`ClientExtension`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__id`,storageKey:null}]}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveNowQuery`,selections:n,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveNowQuery`,selections:n},params:{cacheID:`e3ea2bbbdfd97665d9e97179389f9e4c`,id:null,metadata:{},name:`LiveNowQuery`,operationKind:`query`,text:`query LiveNowQuery(
  $first: Int!
) {
  viewer {
    user {
      id
    }
    liveFeed(first: $first) {
      edges {
        sortKey
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
`}}})();e();function f(e,t,n){let r=e.length<t?void 0:e.at(-1);return n.some(({kind:t,liveSessionId:n,edge:i})=>t===`RESET`||e.some(({node:e})=>e.id===n)||i!=null&&(!r||u(i,r)<0))}var p=n(),m=4,h=d;function g(){let[{viewer:e},t]=c(h,{first:m},e=>e.viewer?.__id),n=t=>t.id===e?.user.id||t.viewerFollows&&!t.viewerMutes&&!t.viewerBlocks,u=r(`second`),d=e?.liveFeed.edges.filter(({node:e})=>e!=null)??[];l(e?.liveFeed.syncToken??null,!1,e=>{f(d,m,e)&&t()});let g=d.map(({node:e})=>e).filter(({state:e,host:t})=>e!==`REPLAY`&&n(t));return g.length?(0,p.jsxs)(`section`,{className:`card live-now`,"aria-labelledby":`live-now-title`,children:[(0,p.jsx)(`h2`,{id:`live-now-title`,children:o.live.asideTitle}),(0,p.jsx)(`ul`,{children:g.map(e=>(0,p.jsxs)(`li`,{className:`live-small live-${e.state.toLowerCase()}`,children:[(0,p.jsx)(i,{user:e.host,size:`small`}),(0,p.jsxs)(`span`,{className:`live-words`,children:[(0,p.jsx)(`span`,{className:`live-title`,dir:`auto`,children:e.title}),(0,p.jsx)(`span`,{className:`live-clock`,children:(0,p.jsx)(`bdi`,{children:e.host.name})}),(0,p.jsx)(`span`,{className:`live-clock`,children:s(e,u)})]})]},e.id))}),(0,p.jsx)(a,{href:`/live`,className:`card-more`,children:o.live.all})]}):null}export{g as default};