import{a as e,n as t,r as n,t as r}from"./client-libraries-df66e8dc.js";import{I as i,K as a,T as o,f as s,q as c,s as l,t as u}from"./client-PageHead-9593d332.js";import{t as d}from"./client-LiveList-67eda3aa.js";import{d as f,i as p}from"./client-c25e8e6c.js";n();var m=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t=[{kind:`Variable`,name:`first`,variableName:`first`}],n={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LivePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`LivePage_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LivePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[n,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,n,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`LivePage_liveFeed`,kind:`LinkedHandle`,name:`liveFeed`}],storageKey:null}]},params:{cacheID:`2c78b93f6211bba3b3af748ccdcda4a7`,id:null,metadata:{},name:`LivePageQuery`,operationKind:`query`,text:`query LivePageQuery(
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
`}}})();m.hash=`4fbd90f7f1cb523da182c284f1c2183e`;var h=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],n={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LivePagePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`LivePage_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LivePagePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[n,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,n,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`LivePage_liveFeed`,kind:`LinkedHandle`,name:`liveFeed`}],storageKey:null}]},params:{cacheID:`5029da4c0bb616a74fb88332e6df8a70`,id:null,metadata:{},name:`LivePagePageQuery`,operationKind:`query`,text:`query LivePagePageQuery(
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
`}}})();h.hash=`3cafde162ec2177ebf90faf2f97378ae`;var g=(function(){var e=[`liveFeed`],t={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`viewer`],operation:h}},name:`LivePage_viewer`,selections:[{alias:`liveFeed`,args:null,concreteType:`LiveConnection`,kind:`LinkedField`,name:`__LivePage_liveFeed_connection`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[t,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`LiveCard_session`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null}],type:`Viewer`,abstractKey:null}})();g.hash=`3cafde162ec2177ebf90faf2f97378ae`;var _=e(),v=t(),y=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`LivePayload`,kind:`LinkedField`,name:`scheduleLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`liveSession`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`ScheduleButtonMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`ScheduleButtonMutation`,selections:t},params:{cacheID:`3585c2e1c63de36d3d01555b300c9501`,id:null,metadata:{},name:`ScheduleButtonMutation`,operationKind:`mutation`,text:`mutation ScheduleButtonMutation(
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
`}}})();y.hash=`1232e90ce80fc07bed9b697abacb8519`;var b=r();function x(e){return new Date(e.getTime()-e.getTimezoneOffset()*6e4).toISOString().slice(0,16)}function S({onScheduled:e}){let[t,n]=(0,_.useState)(!1);return(0,b.jsxs)(b.Fragment,{children:[(0,b.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:()=>n(!0),children:`Plan a session`}),t&&(0,b.jsx)(f,{title:`Plan a live session`,onClose:()=>n(!1),children:(0,b.jsx)(C,{onDone:()=>{n(!1),e()}})})]})}function C({onDone:e}){let t=s(),n=a(),[r,i]=(0,_.useState)(``),[o,c]=(0,_.useState)(()=>x(new Date(Date.now()+36e5))),l=async()=>{await t({mutation:y,variables:{input:{title:r,scheduledAt:new Date(o).toISOString()}}},`Not planned`)&&(n.show({tone:`good`,title:`Planned`}),e())};return(0,b.jsxs)(`form`,{className:`form`,onSubmit:e=>{e.preventDefault(),l()},children:[(0,b.jsxs)(`label`,{children:[`What it is about `,(0,b.jsx)(`input`,{required:!0,maxLength:200,value:r,onChange:e=>i(e.target.value)})]}),(0,b.jsxs)(`label`,{children:[`When it begins `,(0,b.jsx)(`input`,{required:!0,type:`datetime-local`,value:o,onChange:e=>c(e.target.value)})]}),(0,b.jsx)(`div`,{className:`dialog-foot`,children:(0,b.jsx)(`button`,{type:`submit`,className:`button button-primary`,children:`Plan it`})})]})}var w=20,T=m;function E({attempt:e}){let{viewer:t}=(0,v.useLazyLoadQuery)(T,{first:w},{fetchKey:e,fetchPolicy:`store-and-network`});return t&&(0,b.jsx)(D,{viewer:t})}function D({viewer:e}){let{data:t,...n}=(0,v.usePaginationFragment)(g,e),{edges:r,snapshotAt:i}=t.liveFeed,a=r.some(e=>e.node!=null&&e.node.state!==e.state);p(r);let{refresh:s,busy:f}=O(),m=r.length<=w&&scrollY===0,h=(0,_.useRef)(s);return(0,_.useEffect)(()=>{h.current=s}),(0,_.useEffect)(()=>{a&&m&&h.current()},[a,m]),(0,b.jsxs)(b.Fragment,{children:[(0,b.jsx)(u,{title:`Live`,children:(0,b.jsx)(S,{onScheduled:s})}),(0,b.jsxs)(`div`,{className:`live-bar`,children:[(0,b.jsx)(`p`,{role:`status`,children:a?`Something has begun or ended since.`:`As of ${new Date(i).toLocaleTimeString()}.`}),(0,b.jsxs)(`button`,{type:`button`,className:a?`button button-small button-primary`:`button button-small`,"aria-busy":f,onClick:()=>void s(),children:[(0,b.jsx)(c,{name:`refresh`}),` Refresh`]})]}),(0,b.jsx)(d,{edges:r,pages:n,empty:(0,b.jsxs)(o,{icon:`live`,title:`The air is quiet`,children:[(0,b.jsx)(`p`,{children:`When people you follow plan a session, it is counted down here.`}),(0,b.jsx)(l,{className:`button button-primary`,href:`/search`,children:`Find people to follow`})]})})]})}function O(){let e=(0,v.useRelayEnvironment)(),t=a(),[n,r]=(0,_.useState)(!1);return{refresh:async()=>{if(!n){r(!0);try{await(0,v.fetchQuery)(e,T,{first:w},{fetchPolicy:`network-only`}).toPromise()}catch(e){let{title:n,help:r,requestId:a}=i(e);t.show({tone:`bad`,title:n,text:r,requestId:a})}finally{r(!1)}}},busy:n}}export{E as default};