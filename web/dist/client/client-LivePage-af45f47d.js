import{a as e,n as t,r as n,t as r}from"./client-libraries-df66e8dc.js";import{H as i,J as a,W as o,f as s,j as c,q as l,s as u,t as d}from"./client-PageHead-a64df997.js";import{t as f}from"./client-LiveList-de9b5e00.js";import{f as p,i as m}from"./client-aa3b4d8b.js";n();var h=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t=[{kind:`Variable`,name:`first`,variableName:`first`}],n={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LivePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`LivePage_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LivePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[n,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,n,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`LivePage_liveFeed`,kind:`LinkedHandle`,name:`liveFeed`}],storageKey:null}]},params:{cacheID:`2c78b93f6211bba3b3af748ccdcda4a7`,id:null,metadata:{},name:`LivePageQuery`,operationKind:`query`,text:`query LivePageQuery(
  $first: Int!
) {
  viewer {
    ...LivePage_viewer_3ASum4
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}

fragment LivePage_viewer_3ASum4 on Viewer {
  liveFeed(first: $first) {
    snapshotAt
    edges {
      state
      node {
        id
        state
        scheduledAt
        ...LiveCard_session
        __typename
      }
      cursor
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
`}}})();h.hash=`4fbd90f7f1cb523da182c284f1c2183e`;var g=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],n={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LivePagePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`LivePage_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LivePagePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[n,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,n,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`LivePage_liveFeed`,kind:`LinkedHandle`,name:`liveFeed`}],storageKey:null}]},params:{cacheID:`5029da4c0bb616a74fb88332e6df8a70`,id:null,metadata:{},name:`LivePagePageQuery`,operationKind:`query`,text:`query LivePagePageQuery(
  $after: String
  $first: Int
) {
  viewer {
    ...LivePage_viewer_2HEEH6
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}

fragment LivePage_viewer_2HEEH6 on Viewer {
  liveFeed(first: $first, after: $after) {
    snapshotAt
    edges {
      state
      node {
        id
        state
        scheduledAt
        ...LiveCard_session
        __typename
      }
      cursor
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
`}}})();g.hash=`3cafde162ec2177ebf90faf2f97378ae`;var _=(function(){var e=[`liveFeed`],t={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`viewer`],operation:g}},name:`LivePage_viewer`,selections:[{alias:`liveFeed`,args:null,concreteType:`LiveConnection`,kind:`LinkedField`,name:`__LivePage_liveFeed_connection`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[t,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`LiveCard_session`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null}],type:`Viewer`,abstractKey:null}})();_.hash=`3cafde162ec2177ebf90faf2f97378ae`;var v=e(),y=t(),b=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`LivePayload`,kind:`LinkedField`,name:`scheduleLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`liveSession`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`ScheduleButtonMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`ScheduleButtonMutation`,selections:t},params:{cacheID:`3585c2e1c63de36d3d01555b300c9501`,id:null,metadata:{},name:`ScheduleButtonMutation`,operationKind:`mutation`,text:`mutation ScheduleButtonMutation(
  $input: ScheduleLiveInput!
) {
  scheduleLive(input: $input) {
    liveSession {
      id
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();b.hash=`1232e90ce80fc07bed9b697abacb8519`;var x=r();function S(e){return new Date(e.getTime()-e.getTimezoneOffset()*6e4).toISOString().slice(0,16)}function C({onScheduled:e}){let[t,n]=(0,v.useState)(!1);return(0,x.jsxs)(x.Fragment,{children:[(0,x.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:()=>n(!0),children:`Plan a session`}),t&&(0,x.jsx)(p,{title:`Plan a live session`,onClose:()=>n(!1),children:(0,x.jsx)(w,{onDone:()=>{n(!1),e()}})})]})}function w({onDone:e}){let t=(0,y.useRelayEnvironment)(),n=l(),[r,a]=(0,v.useState)(``),[c,u]=(0,v.useState)(()=>S(new Date(Date.now()+36e5))),[d,f]=(0,v.useState)(``),p=async()=>{f(``);try{await s(t,{mutation:b,variables:{input:{title:r,scheduledAt:new Date(c).toISOString()}}})}catch(e){f(`Not planned. ${o(i(e))}`);return}n.show({tone:`good`,title:`Planned`}),e()};return(0,x.jsxs)(`form`,{className:`form`,onSubmit:e=>{e.preventDefault(),p()},children:[(0,x.jsxs)(`label`,{children:[`What it is about `,(0,x.jsx)(`input`,{required:!0,dir:`auto`,maxLength:200,value:r,onChange:e=>a(e.target.value)})]}),(0,x.jsxs)(`label`,{children:[`When it begins `,(0,x.jsx)(`input`,{required:!0,type:`datetime-local`,min:S(new Date),value:c,onChange:e=>u(e.target.value)})]}),d&&(0,x.jsx)(`p`,{className:`note note-bad`,role:`alert`,children:d}),(0,x.jsx)(`div`,{className:`dialog-foot`,children:(0,x.jsx)(`button`,{type:`submit`,className:`button button-primary`,children:`Plan it`})})]})}var T=20,E=h;function D({attempt:e}){let{viewer:t}=(0,y.useLazyLoadQuery)(E,{first:T},{fetchKey:e,fetchPolicy:`store-and-network`});return t&&(0,x.jsx)(O,{viewer:t})}function O({viewer:e}){let{data:t,...n}=(0,y.usePaginationFragment)(_,e),{edges:r,snapshotAt:i}=t.liveFeed,o=r.some(e=>e.node!=null&&e.node.state!==e.state);m(r);let{refresh:s,busy:l}=k(),p=r.length<=T&&scrollY===0,h=(0,v.useRef)(s);return(0,v.useEffect)(()=>{h.current=s}),(0,v.useEffect)(()=>{o&&p&&h.current()},[o,p]),(0,x.jsxs)(x.Fragment,{children:[(0,x.jsx)(d,{title:`Live`,children:(0,x.jsx)(C,{onScheduled:s})}),(0,x.jsxs)(`div`,{className:`live-bar`,children:[(0,x.jsx)(`p`,{role:`status`,children:o?`Something has begun or ended since.`:`As of ${new Date(i).toLocaleTimeString()}.`}),(0,x.jsxs)(`button`,{type:`button`,className:o?`button button-small button-primary`:`button button-small`,"aria-busy":l,onClick:()=>void s(),children:[(0,x.jsx)(a,{name:`refresh`}),` Refresh`]})]}),(0,x.jsx)(f,{edges:r,pages:n,empty:(0,x.jsxs)(c,{icon:`live`,title:`The air is quiet`,children:[(0,x.jsx)(`p`,{children:`When people you follow plan a session, it is counted down here.`}),(0,x.jsx)(u,{className:`button button-primary`,href:`/search`,children:`Find people to follow`})]})})]})}function k(){let e=(0,y.useRelayEnvironment)(),t=l(),[n,r]=(0,v.useState)(!1);return{refresh:async()=>{if(!n){r(!0);try{await(0,y.fetchQuery)(e,E,{first:T},{fetchPolicy:`network-only`}).toPromise()}catch(e){let n=i(e);t.show({tone:`bad`,title:`Not refreshed`,text:o(n),requestId:n.requestId,away:n.away})}finally{r(!1)}}},busy:n}}export{D as default};